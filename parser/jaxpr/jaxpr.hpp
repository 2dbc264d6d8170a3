#pragma once

/// Everything: parse, print, render diagnostics, walk.
#include <jaxpr/ast.hpp>
#include <jaxpr/diagnostic.hpp>
#include <jaxpr/options.hpp>
#include <jaxpr/parse.hpp>
#include <jaxpr/print.hpp>
#include <jaxpr/render.hpp>
#include <jaxpr/walk.hpp>
