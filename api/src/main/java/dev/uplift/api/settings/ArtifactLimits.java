package dev.uplift.api.settings;

/// How much artifacts may take of the server's disk.
///
/// @param tenantBytes all artifacts of one tenant
/// @param reservedBytes what stays free on the disk, for everything else
public record ArtifactLimits(long tenantBytes, long reservedBytes) {
  private static final long MEBIBYTE = 1 << 20;

  static ArtifactLimits ofMebibytes(int tenant, int reserved) {
    return new ArtifactLimits(tenant * MEBIBYTE, reserved * MEBIBYTE);
  }
}
