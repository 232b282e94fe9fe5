package dev.uplift.api.connection;

import dev.uplift.api.settings.RequestLimits;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/// Gives every connection its [RequestDeadline].
@Singleton
@Requires(beans = RequestLimits.class)
final class RequestDeadlineInstaller implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
  private final RequestLimits limits;

  RequestDeadlineInstaller(RequestLimits limits) {
    this.limits = limits;
  }

  @Override
  public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
    event.getBean().register(new ConnectionCustomizer(limits, null));
    return event.getBean();
  }

  /// @param channel of one connection; `null` in the one that makes those
  private record ConnectionCustomizer(RequestLimits limits, @Nullable Channel channel)
      implements NettyServerCustomizer {
    @Override
    public NettyServerCustomizer specializeForChannel(Channel specific, ChannelRole role) {
      return new ConnectionCustomizer(limits, specific);
    }

    @Override
    public void onStreamPipelineBuilt() {
      String codec = ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC;
      if (channel != null && channel.pipeline().get(codec) != null) {
        channel.pipeline().addAfter(codec, "request-deadline", new RequestDeadline(limits.timeout()));
      }
    }
  }
}
