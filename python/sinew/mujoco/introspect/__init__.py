"""Structs, enumerations and functions of the interface as data, for programs that write code or try everything."""
