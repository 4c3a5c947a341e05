// Which files a model is made of: one a line, the model itself first. Under MuJoCo's names: it compiles
// against either library.
//
//     dependencies MODEL
#include <mujoco/mujoco.h>

#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv)
{
    if (argc != 2) return std::puts("usage: dependencies MODEL"), 2;
    std::vector<std::string> files;
    mju_getXMLDependencies(argv[1], &files);
    for (const std::string& file : files) std::puts(file.c_str());
    return 0;
}
