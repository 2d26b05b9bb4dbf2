"""Making a bundle of a table's metadata. One that was made is opened by `queries.files.bundle`."""
