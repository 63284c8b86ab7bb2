// The number of rows below which products are computed in another way, for C++ and Go.
#ifndef PACIA_PRODUCT_FEW_H
#define PACIA_PRODUCT_FEW_H

enum { PACIA_FEW = 16 };

#endif
