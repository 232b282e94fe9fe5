package dev.uplift.services;

import dev.uplift.services.messaging.MonotonicClock;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.NatsSettings;
import dev.uplift.services.messaging.RejectedMessages;
import dev.uplift.services.messaging.StreamProvisioner;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.webhook.WebhookSender;
import dev.uplift.services.webhook.WebhookSettings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/// The beans of this module whose constructors take settings or the clock of the process. All others are classes with
/// [Singleton].
@Factory
final class ServiceBeans {
  /// Primary because the framework has one, too.
  @Singleton
  @Primary
  InstantSource clock() {
    return InstantSource.system();
  }

  /// Down until something starts it.
  @Singleton
  NatsConnection natsConnection(NatsSettings settings, MonotonicClock clock) {
    return new NatsConnection(settings, clock);
  }

  @Singleton
  StreamProvisioner streamProvisioner(NatsSettings settings, MeterRegistry meters) {
    return new StreamProvisioner(settings.placement(), settings.streamSizes(), meters);
  }

  @Bean(preDestroy = "close")
  @Singleton
  WebhookSender webhookSender(WebhookSettings settings, InstantSource clock) {
    return new WebhookSender(settings.allowsPrivateReceivers(), WebhookSender.TIMEOUT, clock);
  }

  @Bean(preDestroy = "close")
  @Singleton
  Presence presence(
      NatsConnection nats,
      MonotonicClock clock,
      ServerIntervals intervals,
      RejectedMessages rejectedMessages,
      MeterRegistry meters) {
    var presence = new Presence(nats, clock, intervals.silentAfter(), intervals.outageRule(), rejectedMessages);
    Gauge.builder("uplift.presence.outages", presence, each -> each.suspectedOutages().size())
        .description("tenants for which an outage between hosts and NATS is suspected")
        .register(meters);
    return presence;
  }
}
