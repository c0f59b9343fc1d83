# ERFA without its configure script: the archive has only the input for autotools, and no more than this is needed.
# make -f erfa.mk CC=... SOURCE=path/to/src [FLAGS=...]
FLAGS ?= -O2
VERSION := -DPACKAGE_VERSION='"2.0.0"' -DPACKAGE_VERSION_MAJOR=2 -DPACKAGE_VERSION_MINOR=0 \
           -DPACKAGE_VERSION_MICRO=0 -DSOFA_VERSION='"20210512"'
TESTS := t_erfa_c t_erfa_c_extra
LIBRARY := $(filter-out $(TESTS:=.o),$(patsubst $(SOURCE)/%.c,%.o,$(wildcard $(SOURCE)/*.c)))

all: $(TESTS)

%.o: $(SOURCE)/%.c
	$(CC) $(FLAGS) $(VERSION) -I$(SOURCE) -c $< -o $@

$(TESTS): %: %.o $(LIBRARY)
	$(CC) $(FLAGS) $^ -o $@ -lm
