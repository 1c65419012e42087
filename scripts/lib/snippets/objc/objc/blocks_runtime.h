// GNUstep's headers ask for this file of its own runtime where blocks are on; nothing of it is needed to check syntax.
