package dev.uplift.e2e;

import dev.uplift.temporaldev.stack.Stack;
import java.util.List;
import java.util.function.Consumer;

/// An upgrade with a reboot, whose host is held at one of its steps until it is released.
record HeldUpgrade(RebootUpgradeScenario site, Consumer<RebootUpgradeScenario> release) {
  /// A step that lasts until it is released.
  private record HeldStep(
      String step,
      Consumer<RebootUpgradeScenario> hold,
      Consumer<RebootUpgradeScenario> awaitReached,
      Consumer<RebootUpgradeScenario> release) {}

  /// The one that takes longest after its release comes first.
  private static final List<HeldStep> STEPS =
      List.of(
          new HeldStep(
              "reboot",
              site -> site.host().staysOffAfterReboot(),
              RebootUpgradeScenario::awaitHostDown,
              site -> site.host().powerOn()),
          new HeldStep(
              "prepare",
              site -> site.os().hold(ScriptedOs.HoldableVerb.prepare),
              site -> site.awaitEffect("prepare 1.5.0"),
              site -> site.os().release(ScriptedOs.HoldableVerb.prepare)),
          new HeldStep(
              "upgrade",
              site -> site.os().hold(ScriptedOs.HoldableVerb.upgrade),
              site -> site.awaitEffect("upgrade 1.5.0"),
              site -> site.os().release(ScriptedOs.HoldableVerb.upgrade)),
          new HeldStep(
              "await-heartbeat",
              site -> site.os().holdAfterUpgrade(),
              site -> site.awaitEffect("boot 1.5.0"),
              site -> site.os().release(ScriptedOs.HoldableVerb.inspect)));

  /// Starts an upgrade for each step, and blocks until each host is held at its own.
  ///
  /// @param name beginning of the names of their devices
  static List<HeldUpgrade> atEveryStep(Stack stack, TestRestClient rest, String name) {
    return STEPS.stream().map(step -> at(step, RebootUpgradeScenario.in(stack, rest, name + step.step()))).toList();
  }

  private static HeldUpgrade at(HeldStep step, RebootUpgradeScenario site) {
    step.hold().accept(site);
    site.startUpgrade();
    step.awaitReached().accept(site);
    return new HeldUpgrade(site, step.release());
  }

  /// Its host goes on.
  void releaseHost() {
    release.accept(site);
  }

  /// Waits until its host has booted with the new version, the last of the effects.
  void awaitBoot() {
    site.awaitEffect("boot 1.5.0");
  }

  /// Waits for its end, and stops the host.
  void assertUpgradedOnce() {
    site.assertUpgradedOnce();
  }
}
