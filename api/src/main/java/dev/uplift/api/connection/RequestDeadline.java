package dev.uplift.api.connection;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Closes a connection whose client is too slow with a request: with its head, counted from the connection or from the
/// answer before, or with any [#BODY_PART] bytes of its body. A response may take as long as it likes. Sits directly
/// behind the codec and is used by the connection's event loop alone.
final class RequestDeadline extends ChannelDuplexHandler {
  private static final int BODY_PART = 64 * 1024;

  private final Duration timeout;
  private @Nullable Future<?> deadline;
  private int unanswered;
  private boolean isBodyOpen;
  private int bytesOfPart;

  RequestDeadline(Duration timeout) {
    this.timeout = timeout;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    restart(context);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    stop();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    stop();
    context.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest) {
      unanswered++;
      isBodyOpen = true;
      restart(context);
    }
    if (message instanceof HttpContent content) {
      bytesOfPart += content.content().readableBytes();
      if (bytesOfPart >= BODY_PART) {
        restart(context);
      }
    }
    if (message instanceof LastHttpContent) {
      isBodyOpen = false;
      stopUnlessWaiting();
    }
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof LastHttpContent && !isInterim(message)) {
      unanswered--;
      restart(context);
    }
    var _ = context.write(message, promise);
  }

  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse response && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  private void restart(ChannelHandlerContext context) {
    stop();
    bytesOfPart = 0;
    if (isWaiting()) {
      deadline = context.executor().schedule(() -> close(context), timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private static void close(ChannelHandlerContext context) {
    var _ = context.close();
  }

  private void stopUnlessWaiting() {
    if (!isWaiting()) {
      stop();
    }
  }

  private void stop() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }

  /// Returns whether it is the client's turn.
  private boolean isWaiting() {
    return isBodyOpen || unanswered <= 0;
  }
}
