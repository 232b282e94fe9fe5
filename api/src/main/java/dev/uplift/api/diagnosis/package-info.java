/// The diagnosis of an installation, as `uplift doctor` shows it. Start at [DiagnosisController]. The checks are beans
/// of the modules below; those of the files of a server are here.
@NullMarked
package dev.uplift.api.diagnosis;

import org.jspecify.annotations.NullMarked;
