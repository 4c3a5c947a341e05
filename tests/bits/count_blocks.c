// Plugin of QEMU: how often each block of instructions ran. Usage: -plugin ./count_blocks.so,out=FILE
// FILE receives lines "ADDRESS INSTRUCTIONS TIMES", the address in hexadecimal. A block ends with the first
// jump, so that it runs as a whole. For programs of one thread.
//
// Of QEMU's interface what is used is declared here: systems have no header of it. API says which version of
// the interface the plugin is for, as QEMU has to be told; nothing used has changed from 1 on.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN __attribute__((visibility("default")))

typedef struct qemu_plugin_tb snTranslated;
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t plugin, void (*f)(uint64_t, snTranslated*));
extern void qemu_plugin_register_vcpu_tb_exec_cb(snTranslated* block, void (*f)(unsigned, void*),
                                                 int registers, void* user);
extern void qemu_plugin_register_atexit_cb(uint64_t plugin, void (*f)(uint64_t, void*), void* user);
extern size_t qemu_plugin_tb_n_insns(const snTranslated* block);
extern uint64_t qemu_plugin_tb_vaddr(const snTranslated* block);

typedef struct Block {
    uint64_t address, instructions, times;
    struct Block* next;
} Block;
static Block* blocks;

static void ran(unsigned cpu, void* block)
{
    (void)cpu;
    ((Block*)block)->times++;
}

static void translated(uint64_t plugin, snTranslated* from)
{
    Block* block = malloc(sizeof *block);
    (void)plugin;
    if (!block) abort();
    *block = (Block){qemu_plugin_tb_vaddr(from), qemu_plugin_tb_n_insns(from), 0, blocks};
    blocks = block;
    qemu_plugin_register_vcpu_tb_exec_cb(from, ran, 0, block);
}

static void ended(uint64_t plugin, void* path)
{
    FILE* file = fopen(path, "w");
    (void)plugin;
    if (!file) abort();
    for (const Block* b = blocks; b; b = b->next)
        (void)fprintf(file, "%" PRIx64 " %" PRIu64 " %" PRIu64 "\n", b->address, b->instructions, b->times);
    if (fclose(file)) abort();
}

SHOWN extern const int qemu_plugin_version;
SHOWN const int qemu_plugin_version = API;

SHOWN int qemu_plugin_install(uint64_t plugin, const void* info, int argc, char** argv);
SHOWN int qemu_plugin_install(uint64_t plugin, const void* info, int argc, char** argv)
{
    (void)info;
    if (argc != 1 || strncmp(argv[0], "out=", 4)) return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(plugin, translated);
    qemu_plugin_register_atexit_cb(plugin, ended, strdup(argv[0] + 4));
    return 0;
}
