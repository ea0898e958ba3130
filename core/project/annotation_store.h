#pragma once

#include "core/labels/label_volume.h"
#include "core/project/project_state.h"

#include <filesystem>
#include <string>
#include <vector>

namespace voxelscribe::project {

/// The annotations of a project on disk: an OME-NGFF 0.4 group with one uint16 array whose chunk files are the chunks of
/// LabelVolume, and with names and colours of the classes in its attributes. Every chunk is written beside its file and renamed,
/// so whoever reads, whenever the writer dies, finds each chunk as it was before or after.
class AnnotationStore {
public:
    using Keys = std::vector<labels::LabelVolume::ChunkKey>;

    AnnotationStore(std::filesystem::path folder, const Extent& extent) : m_folder(std::move(folder)), m_extent(extent) {}

    /// Makes the empty store. @throws Error(io).
    void create(const ProjectState& state) const;
    /// True if all files that describe the store are there and readable.
    bool isDescribed() const;
    /// Puts back what is missing or unreadable of the descriptions, never of the chunks. @throws Error(io).
    void repair(const ProjectState& state) const;

    struct Loaded {
        labels::LabelVolume labels;
        Keys damaged;                          ///< left out
        std::vector<std::string> notices;      ///< one a damaged chunk
    };
    /// @throws Error(io | format | shape) if the array itself cannot be read or has another shape.
    Loaded load() const;
    /// Writes the named chunks; one without labels loses its file. @throws Error(io); the others may be written then.
    void save(const labels::LabelVolume& labels, const Keys& keys) const;
    /// Moves unreadable chunk files to `target`, so that other programs can read the rest. @throws Error(io).
    void setAside(const Keys& damaged, const std::filesystem::path& target) const;
    /// Rewrites the attributes if classes or voxel size have changed. @throws Error(io).
    void describe(const ProjectState& state) const;
    /// Deletes half-written files of killed processes.
    void removeLeftovers() const;

private:
    std::filesystem::path chunkFile(const Extent& key) const;

    std::filesystem::path m_folder;
    Extent m_extent;
};

} // namespace voxelscribe::project
