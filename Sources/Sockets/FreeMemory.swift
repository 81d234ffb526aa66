private import CLinux
private import CReserve

/// Whether this number of bytes can be allocated now. Ask before allocating as much in code that
/// cannot fail, where Swift would end the process. Memory is only lacking if it is limited
/// (`LimitDATA=`, `ulimit -v`) or not overcommitted (`vm.overcommit_memory`). None is free while the
/// reserve is used.
package func hasFreeMemory(bytes: Int) -> Bool {
    // The reserve is taken again first, so that the bytes are asked for beside it.
    waymark_has_reserve() == 1 && waymark_can_allocate(bytes) == 1
}

/// Keeps a reserve of memory from now on, which an allocation gets that would fail. So what has
/// begun goes on, while `hasFreeMemory` refuses what is new, until half of the reserve is there again.
/// It is no memory of the machine: nothing is written to it.
package func keepMemoryReserve() { waymark_keep_reserve(memoryReserveBytes) }

/// As much as a container keeps for connected clients at most (`MemoryLimits`).
private let memoryReserveBytes: UInt = 32 << 20

/// Returns memory that is free in the process to the system. Call it after work that needed much
/// for a while: the allocator keeps what lies between pieces that are in use.
package func returnFreeMemory() { waymark_return_memory() }
