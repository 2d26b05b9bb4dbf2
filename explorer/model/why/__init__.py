"""Why a row is deleted or is not: the values, the what-ifs, the words."""
