"""Which files and entries: from metadata files, manifest lists and manifests as stored."""
