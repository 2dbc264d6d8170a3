// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The whole library: parse, print, walk, render diagnostics.
#include <jaxpr/ast.hpp>
#include <jaxpr/diagnostic.hpp>
#include <jaxpr/escape.hpp>
#include <jaxpr/options.hpp>
#include <jaxpr/parse.hpp>
#include <jaxpr/print.hpp>
#include <jaxpr/render.hpp>
#include <jaxpr/walk.hpp>
