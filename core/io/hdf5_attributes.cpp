#include "core/io/hdf5_attributes.h"

#include "core/base/error.h"

#include <algorithm>
#include <cstring>

namespace voxelscribe::io {

using nlohmann::json;

namespace {

struct Attribute {
    Hdf5Id id;
    Hdf5Id type;
    Hdf5Id space;
    std::size_t count = 0;
    bool isScalar = true;
};

/// Larger lists are data, not description.
constexpr std::size_t kMostValues = 1 << 16;

std::optional<Attribute> openAttribute(hid_t object, const char* name)
{
    if (H5Aexists(object, name) <= 0) {
        H5Eclear2(H5E_DEFAULT);
        return std::nullopt;
    }
    Attribute attribute;
    attribute.id = Hdf5Id(H5Aopen(object, name, H5P_DEFAULT));
    attribute.type = Hdf5Id(H5Aget_type(attribute.id.get()));
    attribute.space = Hdf5Id(H5Aget_space(attribute.id.get()));
    const hssize_t count = H5Sget_simple_extent_npoints(attribute.space.get());
    if (!attribute.type || count < 1 || static_cast<std::size_t>(count) > kMostValues)
        return std::nullopt;
    attribute.count = static_cast<std::size_t>(count);
    attribute.isScalar = H5Sget_simple_extent_type(attribute.space.get()) == H5S_SCALAR;
    return attribute;
}

std::vector<std::string> textsOf(const Attribute& attribute)
{
    std::vector<std::string> texts;
    if (H5Tis_variable_str(attribute.type.get()) > 0) {
        std::vector<char*> pointers(attribute.count, nullptr);
        if (H5Aread(attribute.id.get(), attribute.type.get(), pointers.data()) < 0)
            return {};
        for (const char* text : pointers)
            texts.emplace_back(text != nullptr ? text : "");
        H5Dvlen_reclaim(attribute.type.get(), attribute.space.get(), H5P_DEFAULT, pointers.data());
        return texts;
    }
    const std::size_t size = H5Tget_size(attribute.type.get());
    std::vector<char> bytes(size * attribute.count);
    if (H5Aread(attribute.id.get(), attribute.type.get(), bytes.data()) < 0)
        return {};
    for (std::size_t i = 0; i < attribute.count; ++i) {
        const char* text = bytes.data() + i * size;
        std::string value(text, strnlen(text, size));
        if (H5Tget_strpad(attribute.type.get()) == H5T_STR_SPACEPAD)
            value.erase(value.find_last_not_of(' ') + 1);
        texts.push_back(std::move(value));
    }
    return texts;
}

bool isText(const Attribute& attribute)
{
    return H5Tget_class(attribute.type.get()) == H5T_STRING;
}

bool isNumber(const Attribute& attribute)
{
    const H5T_class_t kind = H5Tget_class(attribute.type.get());
    return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

template <typename T>
std::vector<T> numbersOf(const Attribute& attribute, hid_t memoryType)
{
    std::vector<T> values(attribute.count);
    if (H5Aread(attribute.id.get(), memoryType, values.data()) < 0)
        return {};
    return values;
}

template <typename T>
json asJson(const std::vector<T>& values, bool isScalar)
{
    return isScalar && !values.empty() ? json(values.front()) : json(values);
}

herr_t addName(hid_t, const char* name, const H5A_info_t*, void* names)
{
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

Hdf5Id utf8Type()
{
    Hdf5Id type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.get(), H5T_VARIABLE);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    return type;
}

void writeValues(hid_t object, const std::string& name, hid_t type, const void* values, bool isList, std::size_t count)
{
    const std::string what = "cannot write the HDF5 attribute \"" + name + "\"";
    const hsize_t extent = count;
    const Hdf5Id space = requireHdf5(isList ? H5Screate_simple(1, &extent, nullptr) : H5Screate(H5S_SCALAR), what);
    const Hdf5Id attribute = requireHdf5(H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), what);
    requireHdf5Status(H5Awrite(attribute.get(), type, values), what);
}

} // namespace

std::vector<std::string> hdf5Texts(hid_t object, const char* name)
{
    const std::optional<Attribute> attribute = openAttribute(object, name);
    return attribute && isText(*attribute) ? textsOf(*attribute) : std::vector<std::string>{};
}

std::optional<std::string> hdf5Text(hid_t object, const char* name)
{
    const std::vector<std::string> texts = hdf5Texts(object, name);
    return texts.size() == 1 ? std::optional(texts.front()) : std::nullopt;
}

std::vector<double> hdf5Numbers(hid_t object, const char* name)
{
    const std::optional<Attribute> attribute = openAttribute(object, name);
    return attribute && isNumber(*attribute) ? numbersOf<double>(*attribute, H5T_NATIVE_DOUBLE) : std::vector<double>{};
}

json hdf5Attributes(hid_t object)
{
    std::vector<std::string> names;
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, addName, &names);
    json all = json::object();
    for (const std::string& name : names) {
        const std::optional<Attribute> attribute = openAttribute(object, name.c_str());
        if (!attribute)
            continue;
        if (isText(*attribute))
            all[name] = asJson(textsOf(*attribute), attribute->isScalar);
        else if (H5Tget_class(attribute->type.get()) == H5T_INTEGER)
            all[name] = asJson(numbersOf<std::int64_t>(*attribute, H5T_NATIVE_INT64), attribute->isScalar);
        else if (isNumber(*attribute))
            all[name] = asJson(numbersOf<double>(*attribute, H5T_NATIVE_DOUBLE), attribute->isScalar);
    }
    return all;
}

void writeHdf5Attribute(hid_t object, const std::string& name, const json& value)
{
    const json list = value.is_array() ? value : json::array({value});
    const auto write = [&](hid_t type, const void* values) { writeValues(object, name, type, values, value.is_array(), list.size()); };
    const auto all = [&](auto is) { return !list.empty() && std::all_of(list.begin(), list.end(), is); };
    if (all([](const json& entry) { return entry.is_string(); })) {
        const auto texts = list.get<std::vector<std::string>>();
        std::vector<const char*> pointers;
        for (const std::string& text : texts)
            pointers.push_back(text.c_str());
        write(utf8Type().get(), pointers.data());
    } else if (all([](const json& entry) { return entry.is_number_integer() || entry.is_boolean(); })) {
        std::vector<std::int64_t> numbers;
        for (const json& entry : list)
            numbers.push_back(entry.is_boolean() ? entry.get<bool>() : entry.get<std::int64_t>());
        write(H5T_NATIVE_INT64, numbers.data());
    } else if (all([](const json& entry) { return entry.is_number(); })) {
        write(H5T_NATIVE_DOUBLE, list.get<std::vector<double>>().data());
    } else {
        throw Error(ErrorCode::format, "the attribute \"" + name + "\" cannot be written to HDF5: expected a text, a number or a list of them, found " + value.dump());
    }
}

} // namespace voxelscribe::io
