"""Reads a mask as TIFF, HDF5 and Zarr with other people's libraries and prints what each says, as JSON."""
import hashlib
import json
import sys

import h5py
import numpy
import tifffile
import zarr

KEYS = ("class_ids", "class_names", "class_colors", "voxel_size", "unit", "model_sha256", "run_id")


def plain(value):
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, numpy.ndarray):
        return [plain(entry) for entry in value.tolist()]
    return value.item() if isinstance(value, numpy.generic) else value


def described(values, attributes):
    values = numpy.ascontiguousarray(values)
    return {"dtype": str(values.dtype), "shape": list(values.shape), "ids": numpy.unique(values).tolist(),
            "sha1": hashlib.sha1(values.tobytes()).hexdigest(), **{key: plain(attributes[key]) for key in KEYS}}


def from_tiff(path):
    with tifffile.TiffFile(path) as tiff:
        lines = tiff.pages[0].description.split("\n")
        said = described(tiff.asarray(), json.loads(next(line for line in lines if line.startswith("{"))))
        said["imagej"] = lines[0].startswith("ImageJ=")
    return said


def from_hdf5(path):
    with h5py.File(path, "r") as file:
        group = file[file.attrs["default"]]
        while "signal" not in group.attrs:
            group = group[group.attrs["default"]]
        data = group[group.attrs["signal"]]
        return described(data[()], data.attrs)


def from_zarr(path):
    group = zarr.open_group(path, "r")
    attributes = group.attrs.asdict()
    said = described(group[attributes["multiscales"][0]["datasets"][0]["path"]][:], attributes)
    said["label_values"] = [entry["label-value"] for entry in attributes["image-label"]["colors"]]
    said["complete"] = attributes["complete"]
    return said


print(json.dumps({"tiff": from_tiff(sys.argv[1]), "hdf5": from_hdf5(sys.argv[2]), "zarr": from_zarr(sys.argv[3])}))
