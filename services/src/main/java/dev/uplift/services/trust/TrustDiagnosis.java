package dev.uplift.services.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.TrustRoot;
import dev.uplift.services.diagnosis.DiagnosisCheck;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.trust.TrustRootRepository;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Checks how long the root of each tenant is valid, and whether this server has a key that it names for commands.
@Singleton
public final class TrustDiagnosis implements DiagnosisCheck {
  private static final String PART = "trust";

  private final TrustRootRepository trustRoots;
  private final CommandKeys commandKeys;
  private final InstantSource clock;

  public TrustDiagnosis(TrustRootRepository trustRoots, CommandKeys commandKeys, InstantSource clock) {
    this.trustRoots = trustRoots;
    this.commandKeys = commandKeys;
    this.clock = clock;
  }

  @Override
  public List<DiagnosisFinding> diagnose() {
    try {
      List<TrustRoot> roots =
          trustRoots.findNewest().stream().map(row -> TrustRoot.read(row.document().getBytes(UTF_8))).toList();
      List<DiagnosisFinding> findings = new ArrayList<>();
      roots.forEach(root -> {
        judgeExpiry(root, clock.instant()).ifPresent(findings::add);
        judgeKey(root).ifPresent(findings::add);
      });
      return findings.isEmpty()
          ? List.of(
              DiagnosisFinding.ok(
                  PART, "%d trust roots are valid, and this server may sign under each".formatted(roots.size())))
          : findings;
    } catch (DatabaseUnavailable _) {
      return List.of(DiagnosisFinding.warning(PART, "not known without the database", "see database"));
    }
  }

  /// Empty while there is time enough.
  static Optional<DiagnosisFinding> judgeExpiry(TrustRoot root, Instant now) {
    String which = "root %d of %s".formatted(root.version(), root.tenant());
    String advice = "`uplift keys root renew`, have it signed, `uplift keys root publish`";
    if (!now.isBefore(root.expiresAt())) {
      return Optional.of(
          DiagnosisFinding.critical(
              PART, which + " expired at " + root.expiresAt() + ", and no upgrade of the tenant starts", advice));
    }
    return now.plus(TrustRootExpiryReport.WARNING_PERIOD).isBefore(root.expiresAt())
        ? Optional.empty()
        : Optional.of(DiagnosisFinding.warning(PART, which + " expires at " + root.expiresAt(), advice));
  }

  private Optional<DiagnosisFinding> judgeKey(TrustRoot root) {
    return commandKeys.forRoot(root).isPresent()
        ? Optional.empty()
        : Optional.of(
            DiagnosisFinding.critical(
                PART,
                "root %d of %s names none of the command keys of this server, so it sends no command there"
                    .formatted(root.version(), root.tenant()),
                "put the key that the root names into UPLIFT_COMMAND_KEYS_FOLDER, or publish a root that names another"));
  }
}
