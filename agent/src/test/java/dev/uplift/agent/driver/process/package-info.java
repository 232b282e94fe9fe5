/// Tests of the programs that drivers run.
@NullMarked
package dev.uplift.agent.driver.process;

import org.jspecify.annotations.NullMarked;
