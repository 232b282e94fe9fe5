/// Tests of the driver `worker`. The comments of tests name the lines of the document that they show, as numbered in
/// `docs/decisions/0125-workers-are-started-for-each-message.md`.
@NullMarked
package dev.uplift.agent.driver.worker;

import org.jspecify.annotations.NullMarked;
