// What GIN's encoder calls.
#include "embed.hh"
#include "film.hh"
#include "gin.hh"
