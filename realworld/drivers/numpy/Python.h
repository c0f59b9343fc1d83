/* What numpy's distributions need of Python: the types of sizes, no interpreter. */
#pragma once
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#define Py_USING_UNICODE
typedef ssize_t Py_ssize_t;
typedef ssize_t Py_hash_t;
