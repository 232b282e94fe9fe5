package dev.uplift.cli;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;

/// By operation of the OpenAPI document, lines that together say all that can be said to it. An underscore within
/// `--window` is a blank; `FOLDER` and `ARTIFACT` are where the test has them.
final class OperationCommandLines {
  private static final String RULES =
      "--max-parallel=9 --max-preparing=20 --max-starts-per-minute=5 --max-per-label=ha-group=1"
          + " --min-success-percent=90"
          + " --max-failures=none --max-failure-percent=7 --min-sample=20"
          + " --max-consecutive-failures=3 --max-outcome=stranded=1"
          + " --on-threshold=abort --max-retries=retryable=2 --backoff=60";

  private static final String PLAN =
      "--title=x --package=os --version=1.5 --selection=true --everything"
          + " --wave=1,soak=60,spread=store --wave=10%,gate=approval,max-parallel=5 --wave=rest"
          + " --start-at=2026-12-01T00:00:00Z --not-after=2026-12-24T00:00:00Z --late-joiners"
          + " --priority=3 --on-busy=skip --rollback-scope=host --host-soak=60 --allow-downgrade"
          + " --ignore-windows=because --required-time=900 --on-window-close=finish"
          + " --prepare-ahead=3600 --window=mon,tue_02:00_4h_Europe/Berlin --step-timeout=upgrade=7200 "
          + RULES;

  private static final String POLICY =
      "--title=x --description=y --package=os --at-least=1.5 --selection=true --everything --fallback --priority=3"
          + " --start-at=2026-12-01T00:00:00Z --spread-over=60 --each-window --cron=0_22_*_*_6 --cron-zone=Europe/Berlin"
          + " --unknown-version=upgrade";

  private static final String BARRIER =
      "--package=os --selection=true --everything --deadline-seconds=60 --max-halt-seconds=120"
          + " --when-not-halted=continue --migrate-device=gate --migrate-package=db --migrate-version=2 --version=2";

  private static final String WINDOWS =
      "--window=mon,tue_02:00_4h_Europe/Berlin --blackout=2026-12-24 --if-match=7 --dry-run";

  static final Map<String, List<String>> BY_OPERATION =
      Map.ofEntries(
          entry("listTenants", List.of("tenant list --deleted")),
          entry("getTenant", List.of("tenant show")),
          entry(
              "putTenant",
              List.of("tenant put --title=x --allow-hold-override=false --if-match=7 --dry-run", "tenant put --new")),
          entry("deleteTenant", List.of("tenant delete acme --if-match=7 --dry-run", "tenant delete acme --yes")),
          entry("listApiTokens", List.of("token list")),
          entry("createApiToken", List.of("token create ci --role=viewer --valid-for=30d --dry-run")),
          entry("listTokenRevocations", List.of("token revocations")),
          entry(
              "revokeTokens",
              List.of(
                  "token revoke t-1 --reason=x --dry-run",
                  "token revoke --subject=bob --before=2026-01-01T00:00:00Z --reason=x")),
          entry("listDevices", List.of("device list --label=a=b --package=os --version=1 --filter=hosts>1")),
          entry("getDevice", List.of("device show gate")),
          entry("explainDevice", List.of("why gate", "why gate os")),
          entry(
              "putDevice",
              List.of(
                  "device put gate --host=left --label=a=b --zone=UTC " + WINDOWS,
                  "device put gate --host=left --new")),
          entry(
              "patchDevice",
              List.of(
                  "device update gate --host=left --label=a=b --no-label=c --zone=UTC " + WINDOWS,
                  "device update gate --no-windows")),
          entry("deleteDevice", List.of("device delete gate --if-match=7 --dry-run")),
          entry(
              "holdDevice",
              List.of("device hold gate --reason=x --until=2026-12-24T00:00:00Z --if-match=7" + " --dry-run")),
          entry(
              "holdDevices",
              List.of(
                  "device hold-all --selection=hosts>1 --everything --reason=x --until=2026-12-24T00:00:00Z --dry-run")),
          entry("endHolds", List.of("device release-all --selection=hosts>1 --everything --dry-run")),
          entry("listPins", List.of("pin list gate")),
          entry("getPin", List.of("pin show gate os")),
          entry(
              "setPin",
              List.of(
                  "pin set gate os --version=1 --reason=x --until=2026-12-24T00:00:00Z --if-match=7 --dry-run",
                  "pin set gate os --hold --reason=x --new")),
          entry("removePin", List.of("pin remove gate os --if-match=7 --dry-run")),
          entry("getStop", List.of("stop")),
          entry("stopTenant", List.of("stop --reason=x --dry-run")),
          entry("endStop", List.of("stop --end --dry-run")),
          entry("listChannels", List.of("channel list os")),
          entry("getChannel", List.of("channel show os stable")),
          entry(
              "moveChannel",
              List.of("channel move os stable 1 --if-match=7 --dry-run", "channel move os stable 1 --new")),
          entry("deleteChannel", List.of("channel remove os stable --if-match=7 --dry-run")),
          entry("endDeviceHold", List.of("device release gate --if-match=7 --dry-run")),
          entry(
              "clearDeviceFailures",
              List.of("device clear-failures gate --package=os --version=1 --reason=x --dry-run")),
          entry(
              "clearFailures",
              List.of(
                  "device clear-failures-all --selection=hosts>1 --everything --package=os --version=1 --reason=x"
                      + " --dry-run")),
          entry("getDeviceWindows", List.of("device windows gate --count=3")),
          entry("listLabelWindows", List.of("window list")),
          entry("getLabelWindows", List.of("window show ring=1")),
          entry(
              "putLabelWindows",
              List.of("window put ring=1 " + WINDOWS, "window put ring=1 --window=daily_02:00_4h --new")),
          entry("deleteLabelWindows", List.of("window delete ring=1 --if-match=7 --dry-run")),
          entry(
              "startUpgrade",
              List.of(
                  "upgrade start gate --package=os --version=1 --rollback-scope=host --soak=5"
                      + " --not-after=2026-12-24T00:00:00Z --allow-downgrade --id=u --dry-run"
                      + " --wait-for-window --on-window-close=finish --required-time=900"
                      + " --require-approval --override-pin --step-timeout=upgrade=7200",
                  "upgrade start gate --package=os --version=1 --ignore-windows --reason=because")),
          entry("listHosts", List.of("host list --device=gate --filter=hosts>1")),
          entry("getHost", List.of("host show left")),
          entry("deleteHost", List.of("host delete left --dry-run")),
          entry("revokeHostCredentials", List.of("host revoke left --dry-run")),
          entry("rotateHostCredentials", List.of("host rotate left --dry-run")),
          entry("createEnrolmentToken", List.of("enrol --device=gate --host=left --valid-for=30m --dry-run")),
          entry(
              "createEnrolmentTokens",
              List.of(
                  "enrol --device=shop-## --host=till-## --count=2 --first=7 --label=a=b --zone=UTC"
                      + " --valid-for=1h --dry-run")),
          entry("countVersions", List.of("device versions os")),
          entry("countVersionsByDay", List.of("device version-history os --days=7")),
          entry("listHostVersions", List.of("host versions left --package=os")),
          entry("listHostPackages", List.of("host packages left")),
          entry("getArtifact", List.of("release artifact abc")),
          entry("putArtifact", List.of("release publish FOLDER --artifact=ARTIFACT --dry-run")),
          entry("listReleases", List.of("release list --package=os")),
          entry("publishRelease", List.of("release publish FOLDER --artifact=ARTIFACT --dry-run")),
          entry("getRelease", List.of("release show os 1.5")),
          entry("getNewestRoot", List.of("keys root fetch")),
          entry("getRoot", List.of("keys root fetch 3")),
          entry("publishRoot", List.of("keys root publish --folder=FOLDER --dry-run --new-chain")),
          entry(
              "listUpgrades",
              List.of("upgrade list --device=gate --package=os --version=1 --outcome=upgraded" + " --running")),
          entry("getUpgradeLog", List.of("upgrade log u --host=left --step=upgrade")),
          entry("getUpgrade", List.of("upgrade show u")),
          entry("streamUpgradeEvents", List.of("upgrade events u --after=0.aa")),
          entry(
              "revertUpgrade",
              List.of("upgrade revert u --not-after=2026-12-24T00:00:00Z --reason=x --override-pin --id=v --dry-run")),
          entry("abortUpgrade", List.of("upgrade abort u --reason=x --dry-run")),
          entry("pauseUpgrade", List.of("upgrade pause u --reason=x --dry-run")),
          entry("resumeUpgrade", List.of("upgrade resume u --reason=x --dry-run")),
          entry("retryStep", List.of("upgrade retry-step u --host=left --reason=x --dry-run")),
          entry("skipHost", List.of("upgrade skip-host u --host=left --reason=x --dry-run")),
          entry(
              "extendDeadline",
              List.of("upgrade extend-deadline u --not-after=2026-12-24T00:00:00Z --reason=x" + " --dry-run")),
          entry("approveUpgrade", List.of("upgrade approve u --reason=x --dry-run")),
          entry("denyUpgrade", List.of("upgrade deny u --reason=x --dry-run")),
          entry("listPolicies", List.of("policy list")),
          entry("getPolicy", List.of("policy show n")),
          entry(
              "putPolicy",
              List.of(
                  "policy put n --if-match=7 --dry-run --rollout=FOLDER/release.json " + POLICY,
                  "policy put n --new --offered")),
          entry(
              "patchPolicy",
              List.of(
                  "policy update n --if-match=7 --dry-run --rollout=FOLDER/release.json " + POLICY,
                  "policy update n --no-cron")),
          entry("deletePolicy", List.of("policy delete n --if-match=7 --dry-run")),
          entry("enablePolicy", List.of("policy enable n --if-match=7 --dry-run")),
          entry("disablePolicy", List.of("policy disable n --if-match=7 --dry-run")),
          entry("listWebhooks", List.of("webhook list")),
          entry("getWebhook", List.of("webhook show n")),
          entry(
              "putWebhook",
              List.of(
                  "webhook put n --if-match=7 --dry-run --to=https://example.com/ --event=rollout.*,upgrade.ended"
                      + " --escalate-after=3600 --description=x --disabled",
                  "webhook put n --to=https://example.com/ --new")),
          entry("deleteWebhook", List.of("webhook delete n --if-match=7 --dry-run")),
          entry("enableWebhook", List.of("webhook enable n --if-match=7 --dry-run")),
          entry("disableWebhook", List.of("webhook disable n --if-match=7 --dry-run")),
          entry("rotateWebhookSecret", List.of("webhook rotate-secret n --if-match=7 --dry-run")),
          entry("testWebhook", List.of("webhook test n --dry-run")),
          entry("getPolicyStatus", List.of("policy status n")),
          entry("listPolicyDevices", List.of("policy applies-to n")),
          entry("listDevicePolicies", List.of("policy device gate")),
          entry(
              "startBarrier",
              List.of(
                  "barrier start --name=n --dry-run --yes " + BARRIER,
                  "barrier start --name=n --barrier=FOLDER/release.json")),
          entry("listBarriers", List.of("barrier list --state=halted")),
          entry("getBarrier", List.of("barrier show n")),
          entry("listBarrierHosts", List.of("barrier hosts n --state=missing")),
          entry("continueBarrier", List.of("barrier continue n --reason=x --dry-run")),
          entry("abortBarrier", List.of("barrier abort n --reason=x --dry-run")),
          entry("listRollouts", List.of("rollout list --state=paused --package=os --version=1")),
          entry("createRollout", List.of("rollout create --draft --id=n " + PLAN, "rollout validate " + PLAN)),
          entry("getRollout", List.of("rollout show n")),
          entry("streamRolloutEvents", List.of("rollout events n --after=7", "rollout watch n")),
          entry("patchRollout", List.of("rollout update n --if-match=7 --dry-run " + PLAN)),
          entry("deleteRollout", List.of("rollout delete n --if-match=7 --dry-run")),
          entry("putRolloutRules", List.of("rollout rules n --if-match=7 --dry-run " + RULES)),
          entry("listWaves", List.of("rollout waves n")),
          entry(
              "listRolloutDevices",
              List.of("rollout devices n --wave=1 --state=ended --outcome=declined --filter=hosts>1")),
          entry("addRolloutDevices", List.of("rollout add n gate --reason=x --if-match=7 --dry-run")),
          entry("listFailures", List.of("rollout failures n")),
          entry("listDecisions", List.of("rollout decisions n")),
          entry("listExcludedDevices", List.of("rollout excluded n")),
          entry("skipRolloutDevices", List.of("rollout skip n gate --reason=x --if-match=7 --dry-run")),
          entry("startRollout", List.of("rollout start n --reason=x --if-match=7 --dry-run")),
          entry("pauseRollout", List.of("rollout pause n --reason=x --if-match=7 --dry-run")),
          entry("resumeRollout", List.of("rollout resume n --reason=x --if-match=7 --dry-run")),
          entry("abortRollout", List.of("rollout abort n --abort-running --reason=x --if-match=7 --dry-run")),
          entry("approveWave", List.of("rollout approve n --revision=7 --reason=x --if-match=7 --dry-run")),
          entry("denyWave", List.of("rollout deny n --reason=x --if-match=7 --dry-run")),
          entry("nextWave", List.of("rollout next-wave n --reason=x --if-match=7 --dry-run")),
          entry("skipRemaining", List.of("rollout skip-remaining n --wave=1 --reason=x --if-match=7 --dry-run")),
          entry("retryFailed", List.of("rollout retry-failed n --code=full --reason=x --if-match=7 --dry-run")),
          entry("rollBackWave", List.of("rollout roll-back n --wave=1 --reason=x --if-match=7 --dry-run")),
          entry("streamTenantEvents", List.of("events --after=7")),
          entry("listAudit", List.of("audit --target=rollout/n")),
          entry("diagnose", List.of("doctor")),
          entry("health", List.of("health")));

  private OperationCommandLines() {}
}
