package dev.uplift.activities.host;

import dev.uplift.protocol.Subjects;
import dev.uplift.services.messaging.CommandMessage;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.trust.CommandSigner;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.workflows.device.StepRequest;

/// Puts what is sent for an order into its host's slot.
final class CommandPublisher {
  private final CommandRepository commands;
  private final LatestCommandStream commandStream;
  private final CommandSigner signer;

  CommandPublisher(CommandRepository commands, LatestCommandStream commandStream, CommandSigner signer) {
    this.commands = commands;
    this.commandStream = commandStream;
    this.signer = signer;
  }

  /// Its bytes as they were first written, signed with a key that counts now.
  void publish(StepRequest stepRequest, CommandRow row) {
    SignedCommand signedCommand = row.toPublish();
    String tenant = stepRequest.device().tenant();
    String host = Subjects.hostAddress(tenant, stepRequest.host().value());
    String signature = signer.signAgainIfKeyChanged(tenant, signedCommand.body(), signedCommand.signature());
    long sequence = commandStream.publish(host, CommandMessage.of(signedCommand.body(), signature));
    commands.recordPublished(tenant, signedCommand.id(), sequence);
  }
}
