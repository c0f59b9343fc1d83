# A toolchain that builds a project with Nonius:
#
#   cmake -S . -B build-nonius -DCMAKE_TOOLCHAIN_FILE=PREFIX/share/nonius/cmake/nonius.cmake
#   cmake --build build-nonius && nonius run ctest --test-dir build-nonius
#
# Options of Nonius's compiler go into CMAKE_C_FLAGS and its like, such as -DCMAKE_C_FLAGS=--nonius-skip-files=vendor/*

# Beside this file's installation, or in the build of the sources that it belongs to.
get_filename_component(_nonius_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
get_filename_component(_nonius_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(NONIUS_CC nonius-cc HINTS "${_nonius_prefix}/bin" "${_nonius_root}/target/release" REQUIRED)
get_filename_component(_nonius_bin "${NONIUS_CC}" DIRECTORY)

set(CMAKE_C_COMPILER "${_nonius_bin}/nonius-cc")
set(CMAKE_CXX_COMPILER "${_nonius_bin}/nonius-c++")
set(CMAKE_Fortran_COMPILER "${_nonius_bin}/nonius-fortran")

# Archives of link-time optimization hold LLVM's bitcode, which the system's own ar does not index.
foreach(_nonius_language C CXX Fortran)
    set(CMAKE_${_nonius_language}_COMPILER_AR "${_nonius_bin}/nonius-llvm-ar")
    set(CMAKE_${_nonius_language}_COMPILER_RANLIB "${_nonius_bin}/nonius-llvm-ranlib")
endforeach()
