/// Checks of a whole installation, each with an advice, for a person who asks why something does not work.
///
/// Start at [DiagnosisCheck]. Each check is a bean beside its subject; those of the tables are here. Alerts watch the
/// same things over time, by metrics; a check looks once, now.
@NullMarked
package dev.uplift.services.diagnosis;

import org.jspecify.annotations.NullMarked;
