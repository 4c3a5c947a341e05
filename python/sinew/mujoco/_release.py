"""The release of the peer whose names these are."""

SILENT = "3.3.7"  # what a model means that does not say it
