# pcb-tools.  `make help` lists the targets; settings live in config.mk.
include config.mk

PROGS = pcb-collect pcb-stats

objs = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/$(1)/*.c))

all: $(PROGS:%=$(BIN)/%) ## build the programs into bin/

# Libraries go with the program that uses them; pkg-config runs in the recipe.
$(BIN)/pcb-collect: $(call objs,collect)
$(BIN)/pcb-collect: LDLIBS = $$($(PKG_CONFIG) --libs libpci numa) -lcsv -lm
$(BIN)/pcb-stats: $(call objs,stats)
$(BIN)/pcb-stats: LDLIBS = -lcsv -lm

$(PROGS:%=$(BIN)/%): $(BUILD)/libpcb.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(BUILD)/libpcb.a $(LDLIBS)

$(BUILD)/libpcb.a: $(call objs,common)
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: src/%.c config.mk
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARN) $(INCS) $(CPPFLAGS) $(CFLAGS) $$($(PKG_CONFIG) --cflags libpci) -MMD -MP -c -o $@ $<

clean:
	rm -rf $(BUILD) bin

-include $(wildcard $(BUILD)/*/*.d)
.PHONY: all clean
