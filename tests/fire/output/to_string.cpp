// std::to_string and std::to_chars are outputs as well.
#include <charconv>
#include <cstdio>
#include <string>

int main() {
    volatile double a = 0.7, b = 0.1;
    std::string text = std::to_string(((a + b) - a) - b); //~ precision-loss: 52..53 bits lost @output
    char buffer[64];
    auto end = std::to_chars(buffer, buffer + 64, ((a + b) - a) - b).ptr; //~ precision-loss: 52..53 bits lost @output
    std::printf("%s %.*s\n", text.c_str(), int(end - buffer), buffer);
}
