# Makes LibTorch::LibTorch from LibTorch's include and library folders alone. Torch's own package
# demands a full CUDA toolkit even where only the CPU is used, so it is not asked.
#
# Looks in LIBTORCH_DIR (a variable or the environment), then in an installed Python torch.
# Sets LibTorch_FOUND, LibTorch_VERSION, LibTorch_CUDA (TRUE where the library has CUDA).

set(_libtorch_hints)
if(LIBTORCH_DIR)
    list(APPEND _libtorch_hints ${LIBTORCH_DIR})
elseif(DEFINED ENV{LIBTORCH_DIR})
    list(APPEND _libtorch_hints $ENV{LIBTORCH_DIR})
else()
    find_program(_libtorch_python NAMES python3)
    if(_libtorch_python)
        execute_process(
            COMMAND ${_libtorch_python} -c
                "import importlib.util,os; s=importlib.util.find_spec('torch'); print(os.path.dirname(s.origin) if s and s.origin else '')"
            OUTPUT_VARIABLE _libtorch_python_dir OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(_libtorch_python_dir)
            list(APPEND _libtorch_hints ${_libtorch_python_dir})
        endif()
    endif()
    list(APPEND _libtorch_hints /usr /usr/local)
endif()

# Another place than last time: what was found there no longer counts.
if(NOT "${_libtorch_hints}" STREQUAL "${LibTorch_LAST_HINTS}")
    foreach(name IN ITEMS torch torch_cpu c10 torch_cuda c10_cuda torch_hip c10_hip)
        unset(LibTorch_${name}_LIBRARY CACHE)
    endforeach()
    unset(LibTorch_INCLUDE_DIR CACHE)
    unset(LibTorch_API_INCLUDE_DIR CACHE)
    set(LibTorch_LAST_HINTS "${_libtorch_hints}" CACHE INTERNAL "Where LibTorch was looked for")
endif()

find_path(LibTorch_INCLUDE_DIR ATen/core/Tensor.h
    HINTS ${_libtorch_hints} PATH_SUFFIXES include NO_DEFAULT_PATH)
find_path(LibTorch_API_INCLUDE_DIR torch/version.h
    HINTS ${_libtorch_hints} PATH_SUFFIXES include/torch/csrc/api/include NO_DEFAULT_PATH)
set(_libtorch_needed torch torch_cpu c10)
set(_libtorch_optional torch_cuda c10_cuda torch_hip c10_hip)
set(_libtorch_links)
foreach(name IN LISTS _libtorch_needed _libtorch_optional)
    find_library(LibTorch_${name}_LIBRARY ${name}
        HINTS ${_libtorch_hints} PATH_SUFFIXES lib lib/${CMAKE_LIBRARY_ARCHITECTURE} NO_DEFAULT_PATH)
    mark_as_advanced(LibTorch_${name}_LIBRARY)
    if(LibTorch_${name}_LIBRARY)
        list(APPEND _libtorch_links ${LibTorch_${name}_LIBRARY})
    endif()
endforeach()
if(LibTorch_torch_cuda_LIBRARY)
    set(LibTorch_CUDA TRUE)
else()
    set(LibTorch_CUDA FALSE)
endif()

# Newer releases keep the numbers in torch/headeronly, older ones beside the C++ API.
set(_libtorch_version_file ${LibTorch_INCLUDE_DIR}/torch/headeronly/version.h)
if(NOT EXISTS ${_libtorch_version_file})
    set(_libtorch_version_file ${LibTorch_API_INCLUDE_DIR}/torch/version.h)
endif()
if(EXISTS ${_libtorch_version_file})
    file(STRINGS ${_libtorch_version_file} _libtorch_lines
        REGEX "#define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
    string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*PATCH ([0-9]+).*" "\\1.\\2.\\3"
        LibTorch_VERSION "${_libtorch_lines}")
endif()

# Python builds up to 2.6 may carry the C++ library's old string type; nothing of ours links to them.
set(_libtorch_config ${LibTorch_INCLUDE_DIR}/../share/cmake/Torch/TorchConfig.cmake)
if(EXISTS ${_libtorch_config})
    file(STRINGS ${_libtorch_config} _libtorch_old_abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
    if(_libtorch_old_abi)
        message(FATAL_ERROR "The LibTorch ${LibTorch_VERSION} in ${LibTorch_INCLUDE_DIR}/.. is built for "
            "the C++ library's old ABI: set LIBTORCH_DIR to a newer one.")
    endif()
endif()

string(JOIN ", " _libtorch_looked ${_libtorch_hints})
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
    REQUIRED_VARS LibTorch_torch_cpu_LIBRARY LibTorch_torch_LIBRARY LibTorch_c10_LIBRARY
        LibTorch_INCLUDE_DIR LibTorch_API_INCLUDE_DIR
    VERSION_VAR LibTorch_VERSION
    REASON_FAILURE_MESSAGE
        "no LibTorch with headers in ${_libtorch_looked}. Set LIBTORCH_DIR to a folder that has include/ and lib/, or run ./run build, which installs one.")

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
    add_library(LibTorch::LibTorch INTERFACE IMPORTED GLOBAL)
    set_target_properties(LibTorch::LibTorch PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES
            "${LibTorch_INCLUDE_DIR};${LibTorch_API_INCLUDE_DIR}"
        # Without it ATen/TensorOperators.h and others pull in every operator there is.
        INTERFACE_COMPILE_DEFINITIONS AT_PER_OPERATOR_HEADERS
        # torch_cuda registers its kernels from static objects: no symbol of ours needs it.
        INTERFACE_LINK_LIBRARIES "-Wl,--no-as-needed;${_libtorch_links};-Wl,--as-needed")
    get_filename_component(_libtorch_lib_dir ${LibTorch_torch_cpu_LIBRARY} DIRECTORY)
    # A CUDA build from pip keeps CUDA's libraries in packages beside its own.
    file(GLOB _libtorch_cuda_dirs ${_libtorch_lib_dir}/../../nvidia/*/lib)
    list(TRANSFORM _libtorch_cuda_dirs PREPEND "-Wl,-rpath-link,")
    set_property(TARGET LibTorch::LibTorch PROPERTY
        INTERFACE_LINK_OPTIONS "-Wl,-rpath,${_libtorch_lib_dir}" ${_libtorch_cuda_dirs})
endif()
mark_as_advanced(LibTorch_INCLUDE_DIR LibTorch_API_INCLUDE_DIR)
