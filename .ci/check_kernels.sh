#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles the GPU kernels with every vendor's compiler that is here, for every chip it knows, and
# fails if a kernel knows the vendor. What is skipped is said. No GPU is needed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
failed=0

# One file knows the vendor.
vendor='__CUDA|__HIP|__NVCC__|USE_(CUDA|HIP|ROCM)|\b(cuda|hip)(_runtime|[A-Z])'
if grep -rnE "$vendor" kernels --include='*.h' --include='*.cpp' --include='*.cu' --include='*.cuh' |
    grep -v '^kernels/gpu/runtime\.h:'; then
    echo "Only kernels/gpu/runtime.h may know the vendor."
    failed=1
fi

# build_for CUDA|HIP chip...
build_for() {
    local vendor=$1 folder=build/kernels-${1,,}
    shift
    local chips
    chips=$(IFS=';'; echo "$*")
    cmake -S . -B "$folder" -G Ninja --log-level=WARNING -DCMAKE_BUILD_TYPE=Release \
        -DMASKSCOPE_GPU="$vendor" -DMASKSCOPE_GPU_ARCHITECTURES="$chips" -DMASKSCOPE_TORCH=OFF \
        -DMASKSCOPE_IMAGE=OFF -DMASKSCOPE_UI=OFF -DMASKSCOPE_TRAIN=OFF -DMASKSCOPE_TESTS=OFF >/dev/null &&
        cmake --build "$folder" --target maskscope_kernels -- --quiet &&
        echo "The kernels compile for $*." || failed=1
}

# skipped REASON: does not fail, but is seen.
skipped() { echo "Skipped: $*"; }

if command -v nvcc >/dev/null; then
    known=$(nvcc --list-gpu-code)
    chips=()
    for chip in sm_80 sm_90 sm_120; do
        if grep -qx "$chip" <<<"$known"; then chips+=("$chip"); else skipped "this nvcc does not know $chip."; fi
    done
    build_for CUDA "${chips[@]}"
else
    skipped "CUDA, since nvcc is not on the PATH."
fi

if command -v hipcc >/dev/null; then
    empty=$(mktemp -d)
    trap 'rm -rf "$empty"' EXIT
    echo 'int main() { return 0; }' >"$empty/empty.hip"
    chips=()
    for chip in gfx90a gfx942 gfx950; do
        if HIP_PLATFORM=amd hipcc --offload-arch="$chip" -c "$empty/empty.hip" -o "$empty/empty.o" \
            2>/dev/null; then
            chips+=("$chip")
        else
            skipped "this hipcc does not know $chip (Debian 12's does not)."
        fi
    done
    build_for HIP "${chips[@]}"
else
    skipped "HIP, since hipcc is not on the PATH."
fi
exit "$failed"
