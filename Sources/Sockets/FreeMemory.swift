private import CLinux

/// Whether this number of bytes can be allocated now. Ask before allocating as much in code that
/// cannot fail, where Swift would end the process. Memory is only lacking if it is limited
/// (`LimitDATA=`, `ulimit -v`) or not overcommitted (`vm.overcommit_memory`).
package func hasFreeMemory(bytes: Int) -> Bool { waymark_can_allocate(bytes) == 1 }

/// Returns memory that is free in the process to the system. Call it after work that needed much
/// for a while: the allocator keeps what lies between pieces that are in use.
package func returnFreeMemory() { waymark_return_memory() }
