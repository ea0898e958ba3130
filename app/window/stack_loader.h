#pragma once

#include "core/io/open.h"
#include "core/labels/label_volume.h"
#include "core/project/project.h"
#include "core/volume/cached_volume.h"
#include "core/volume/volume.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace voxelscribe::window {

/// What a person asked to open: an image (its project is found or made) or a project folder.
struct OpenRequest {
    std::string path;                        ///< FILE, FOLDER, FILE::/data/set or NAME.voxelscribe
    bool offerSeries = false;                ///< a picked member of a series opens the whole series
    std::string relinkedImage;               ///< for a project whose image has moved: where it is now
    std::optional<VoxelSizeUm> voxelSizeUm;  ///< known from elsewhere, for a new project
    std::vector<ClassInfo> classes;          ///< of a new project; empty: two classes to start with
};

/// An opened stack with its project, ready to be shown.
struct OpenedStack {
    io::Source source;
    io::Listing listing;
    VolumePtr volume;                        ///< cached
    std::unique_ptr<project::Project> project;
    labels::LabelVolume labels{Extent{1, 1, 1}};
    std::filesystem::path pickedMember;      ///< the file that was picked where its whole series is open
    std::string lockOwner;                   ///< of a read-only project: who has it open
    double contrastLow = 0;
    double contrastHigh = 255;
    std::vector<std::string> notices;        ///< what a person should read: read-only, damaged chunks, gaps…
};

/// Why a stack could not be opened.
struct OpenFailure {
    std::string message;
    bool imageMissing = false;               ///< a project whose image must be found again
    std::string missingImage;
};

/// Opens image and project; runs on a worker thread. @throws Error, or OpenFailure for a missing image of a project.
OpenedStack openStack(const OpenRequest& request, std::shared_ptr<ChunkCache> cache);

/// Robust contrast limits from the middle of slice `z`: cheap for slices of any size.
std::pair<double, double> contrastOf(const Volume& volume, std::int64_t z);

} // namespace voxelscribe::window
