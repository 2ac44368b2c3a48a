// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lens.h"
#include "core/model/weights.h"

namespace maskscope {

/// Gives the first layer of the language model a head that already does what it would need very
/// long to find: a word looks for the token of its class (see SceneTokens) by the likeness of their
/// embeddings. Queries and keys of the first key/value group become the same projection, onto the
/// directions in which the class words differ most, in those dimensions of the head that rotary
/// positions turn slowly. Everything stays trainable. For a model that has never been trained with
/// scene tokens; it overwrites these weights.
void primeWordMatching(const Weights& weights, const Lens& lens);

} // namespace maskscope
