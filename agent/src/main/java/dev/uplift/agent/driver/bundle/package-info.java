/// Packages that are a tar archive: versions side by side, one of them in use.
///
/// Start at [BundleDriver], which reads as the procedure; [VersionFolders] is what lies in the package's folder,
/// [BundleService] what runs from it. The link `current` says which version is in use, and only a rename changes it. A
/// version folder has its name only when all that is in it is on the disk, its marker written last; it is never changed
/// afterwards. [TarReader] and [TarExtractor] take nothing from an archive that could reach outside.
///
/// `BundleKilledTest` ends the process before and after each file operation.
@NullMarked
package dev.uplift.agent.driver.bundle;

import org.jspecify.annotations.NullMarked;
