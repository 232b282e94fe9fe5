package dev.uplift.activities.host;

import dev.uplift.activities.connection.ServerConnections;
import dev.uplift.activities.temporal.ActivityCompleter;
import dev.uplift.services.Repositories;
import dev.uplift.services.artifacts.ArtifactUrlSigner;
import dev.uplift.services.messaging.AgentInfoReader;
import dev.uplift.services.messaging.BatchWriter;
import dev.uplift.services.messaging.EventBacklog;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.trust.CommandSigner;

/// Creates the parts of this package.
///
/// @param steps the activities
/// @param eventConsumer receives events
/// @param heartbeatAwaiter receives heartbeats, and is refreshed every few seconds
public record HostActivitiesFactory(
    HostStepsActivities steps, EventConsumer eventConsumer, HeartbeatAwaiter heartbeatAwaiter) {

  public static HostActivitiesFactory of(
      Repositories repositories,
      ServerConnections connections,
      BatchWriter batchWriter,
      ArtifactUrlSigner artifactUrls,
      CommandSigner signer) {
    LatestCommandStream commandStream = new LatestCommandStream(connections.nats());
    ActivityCompleter activityCompleter = new ActivityCompleter(connections.temporal());
    CommandIssuer issuer =
        new CommandIssuer(
            repositories.commands(),
            repositories.upgrades(),
            new CommandFactory(repositories.releases(), artifactUrls, signer),
            signer,
            commandStream);
    HeartbeatAwaiter heartbeatAwaiter =
        new HeartbeatAwaiter(
            repositories.heartbeatWaits(),
            connections.presence(),
            new AgentInfoReader(connections.nats()),
            activityCompleter);
    HostObserver observer =
        new HostObserver(
            issuer,
            repositories.commands(),
            new EventBacklog(connections.nats()),
            connections.presence(),
            connections.nats());
    return new HostActivitiesFactory(
        new HostStepsActivities(issuer, heartbeatAwaiter, observer),
        new EventConsumer(
            repositories.commands(),
            commandStream,
            activityCompleter,
            batchWriter,
            connections.rejectedMessages()),
        heartbeatAwaiter);
  }
}
