private import CLinux

/// Whether so many bytes of memory can be had now. To be asked before as many are taken in places
/// that cannot go on without: Swift ends the process there. Memory is lacking only where it is
/// limited (`LimitDATA=`, `ulimit -v`) or never promised twice (`vm.overcommit_memory`).
package func hasFreeMemory(bytes: Int) -> Bool { waymark_can_allocate(bytes) == 1 }
