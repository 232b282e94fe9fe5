/// Brings artifacts to the host: by HTTP, resumed where it broke, and never more or other than what was signed.
///
/// Start at [Downloader]. It trusts the address as little as the server behind it: size and SHA-256 come from the
/// signed release, and a file has its final name only once both are true.
@NullMarked
package dev.uplift.agent.download;

import org.jspecify.annotations.NullMarked;
