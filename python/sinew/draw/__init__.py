"""What draws scenes, on OpenGL; imported only when somebody draws."""
