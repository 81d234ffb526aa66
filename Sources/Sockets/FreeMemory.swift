private import CLinux

/// Whether this number of bytes can be allocated now. Ask before allocating as much in code that
/// cannot fail, where Swift would end the process. Memory is only lacking if it is limited
/// (`LimitDATA=`, `ulimit -v`) or not overcommitted (`vm.overcommit_memory`).
package func hasFreeMemory(bytes: Int) -> Bool { waymark_can_allocate(bytes) == 1 }
