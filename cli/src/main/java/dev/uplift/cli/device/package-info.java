/// Devices and their hosts: the commands, their options and tables.
@NullMarked
package dev.uplift.cli.device;

import org.jspecify.annotations.NullMarked;
