#include "core/io/hdf5_tree.h"

#include "core/base/text.h"
#include "core/io/hdf5_attributes.h"

#include <algorithm>
#include <set>

namespace voxelscribe::io {

namespace {

constexpr int kDeepest = 64;

herr_t addLink(hid_t, const char* name, const H5L_info_t*, void* names)
{
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

std::vector<std::string> childrenOf(hid_t group)
{
    std::vector<std::string> names;
    H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, addLink, &names);
    std::sort(names.begin(), names.end(), naturalLess);
    return names;
}

/// Where a soft or external link leads, for a message.
std::string targetOf(hid_t file, const std::string& name)
{
    H5L_info_t about{};
    if (H5Lget_info(file, name.c_str(), &about, H5P_DEFAULT) < 0 || about.type == H5L_TYPE_HARD)
        return "an object that cannot be opened";
    std::vector<char> value(about.u.val_size + 1, '\0');
    H5Lget_val(file, name.c_str(), value.data(), about.u.val_size, H5P_DEFAULT);
    if (about.type != H5L_TYPE_EXTERNAL)
        return value.data();
    const char* target = nullptr;
    const char* object = nullptr;
    H5Lunpack_elink_val(value.data(), about.u.val_size, nullptr, &target, &object);
    return std::string(target != nullptr ? target : "?") + "::" + (object != nullptr ? object : "?");
}

class Walk {
public:
    explicit Walk(hid_t file) : m_file(file) {}

    void visit(const std::string& name, int depth)
    {
        const Hdf5Id object(H5Oopen(m_file, name.c_str(), H5P_DEFAULT));
        H5O_info_t about{};
        if (!object || H5Oget_info2(object.get(), &about, H5O_INFO_BASIC) < 0) {
            tree.warnings.push_back("the link " + name + " leads to " + targetOf(m_file, name) + ", which is missing; put that file or data set back");
            H5Eclear2(H5E_DEFAULT);
            return;
        }
        if (!m_met.emplace(about.fileno, about.addr).second)
            return;
        if (about.type == H5O_TYPE_DATASET)
            tree.datasets.push_back(name);
        if (about.type == H5O_TYPE_GROUP && depth < kDeepest)
            for (const std::string& child : childrenOf(object.get()))
                visit(hdf5Join(name, child), depth + 1);
    }

    Hdf5Tree tree;

private:
    hid_t m_file;
    std::set<std::pair<unsigned long, haddr_t>> m_met; ///< objects by file and address: links may form cycles
};

/// Looks for the plottable data of one group and of those below that NeXus names.
class NexusSearch {
public:
    NexusSearch(hid_t file, const std::function<bool(const std::string&)>& isImage) : m_file(file), m_isImage(isImage) {}

    std::optional<std::string> find(const std::string& group, int depth) const
    {
        const Hdf5Id id(H5Gopen2(m_file, group.c_str(), H5P_DEFAULT));
        if (!id || depth > kDeepest) {
            H5Eclear2(H5E_DEFAULT);
            return std::nullopt;
        }
        if (classOf(id.get()) == "NXdata")
            return signalOf(id.get(), group);
        if (const std::optional<std::string> name = hdf5Text(id.get(), "default"))
            if (const auto found = find(name->starts_with('/') ? *name : hdf5Join(group, *name), depth + 1))
                return found;
        for (const std::string& child : childrenOf(id.get())) {
            const std::string kind = classOf(hdf5Join(group, child));
            if (kind == "NXentry" || kind == "NXsubentry" || kind == "NXdata")
                if (const auto found = find(hdf5Join(group, child), depth + 1))
                    return found;
        }
        return std::nullopt;
    }

private:
    static std::string classOf(hid_t object) { return hdf5Text(object, "NX_class").value_or(""); }

    std::string classOf(const std::string& name) const
    {
        const Hdf5Id object(hdf5Exists(m_file, name) ? H5Oopen(m_file, name.c_str(), H5P_DEFAULT) : -1);
        return object ? classOf(object.get()) : "";
    }

    std::optional<std::string> signalOf(hid_t group, const std::string& name) const
    {
        std::vector<std::string> candidates;
        if (const std::optional<std::string> signal = hdf5Text(group, "signal"))
            candidates.push_back(hdf5Join(name, *signal));
        for (const std::string& child : childrenOf(group)) {
            const std::string full = hdf5Join(name, child);
            const Hdf5Id object(hdf5Exists(m_file, full) ? H5Oopen(m_file, full.c_str(), H5P_DEFAULT) : -1);
            if (object && (hdf5Numbers(object.get(), "signal") == std::vector<double>{1} || hdf5Text(object.get(), "signal") == "1"))
                candidates.push_back(full);
        }
        candidates.push_back(hdf5Join(name, "data"));
        const auto image = std::find_if(candidates.begin(), candidates.end(), m_isImage);
        return image != candidates.end() ? std::optional(*image) : std::nullopt;
    }

    hid_t m_file;
    const std::function<bool(const std::string&)>& m_isImage;
};

bool holdsNexus(hid_t file)
{
    const Hdf5Id root(H5Gopen2(file, "/", H5P_DEFAULT));
    if (hdf5Text(root.get(), "NX_class") == "NXroot")
        return true;
    for (const std::string& child : childrenOf(root.get())) {
        const Hdf5Id object(hdf5Exists(file, "/" + child) ? H5Oopen(file, child.c_str(), H5P_DEFAULT) : -1);
        if (object && hdf5Text(object.get(), "NX_class") == "NXentry")
            return true;
    }
    return false;
}

} // namespace

Hdf5Tree walkHdf5(hid_t file, const std::optional<std::string>& first)
{
    Walk walk(file);
    if (first)
        walk.visit(*first, 0);
    walk.visit("/", 0);
    walk.tree.isNexus = holdsNexus(file);
    return std::move(walk.tree);
}

std::optional<std::string> nexusDefault(hid_t file, const std::function<bool(const std::string&)>& isImage)
{
    return NexusSearch(file, isImage).find("/", 0);
}

std::string hdf5Join(const std::string& group, const std::string& name)
{
    return group == "/" ? "/" + name : group + "/" + name;
}

bool hdf5Exists(hid_t file, const std::string& name)
{
    for (std::size_t end = name.find('/', 1); ; end = name.find('/', end + 1)) {
        const std::string part = name.substr(0, end);
        if (part != "/" && (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0 || H5Oexists_by_name(file, part.c_str(), H5P_DEFAULT) <= 0)) {
            H5Eclear2(H5E_DEFAULT);
            return false;
        }
        if (end == std::string::npos)
            return true;
    }
}

} // namespace voxelscribe::io
