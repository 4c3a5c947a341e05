"""Export of moving scenes as USD. Making an exporter says that drawing is missing."""
