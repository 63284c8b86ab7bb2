// For the headers of products.
#pragma once

#include "core/rows.hh"
