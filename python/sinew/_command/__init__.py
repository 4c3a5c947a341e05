"""What `sinew render` is made of: the command line, models and states, several pictures beside each other."""
