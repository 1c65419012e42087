// The Objective-C of the integration guide, written for this check: the same calls in the same form.
#import "Snippets.h"

@interface Subscriber : NSObject
@end

@implementation Subscriber
// snippet: a subscription to updates
- (void)subscribe {
  [[NSNotificationCenter defaultCenter] addObserver:self
                                           selector:@selector(contentCardsUpdated:)
                                               name:ABKContentCardsProcessedNotification
                                             object:nil];
}

// snippet: the end of a refresh
- (void)contentCardsUpdated:(NSNotification *)notification {
  BOOL updateIsSuccessful = [notification.userInfo[ABKContentCardsProcessedIsSuccessfulKey] boolValue];
  if (updateIsSuccessful) {
    NSLog(@"%@", [[Appboy sharedInstance].contentCardsController getContentCards]);
  }
}
@end

@interface StartController : UIViewController
@end

@implementation StartController
// snippet: a feed in a navigation controller
- (void)pushFeed {
  ABKContentCardsTableViewController *contentCards = [[ABKContentCardsTableViewController alloc] init];
  contentCards.title = @"News";
  contentCards.disableUnreadIndicator = YES;
  [self.navigationController pushViewController:contentCards animated:YES];
}

// snippet: a feed in a modal
- (void)presentFeed {
  ABKContentCardsViewController *contentCards = [[ABKContentCardsViewController alloc] init];
  contentCards.contentCardsViewController.title = @"News";
  contentCards.contentCardsViewController.disableUnreadIndicator = YES;
  [self.navigationController presentViewController:contentCards animated:YES completion:nil];
}
@end

// snippet: the members of cards, by table
void read(ABKContentCard *card) {
  NSLog(@"%@ %d %f %f %d %d %d", card.idString, card.viewed, card.created, card.expiresAt, card.dismissible, card.pinned,
        card.dismissed);
  NSLog(@"%@ %d %@", card.urlString, card.openUrlInWebView, card.extras);
  if ([card isKindOfClass:[ABKBannerContentCard class]]) {
    ABKBannerContentCard *banner = (ABKBannerContentCard *)card;
    NSLog(@"%@ %f", banner.image, banner.imageAspectRatio);
  } else if ([card isKindOfClass:[ABKCaptionedImageContentCard class]]) {
    ABKCaptionedImageContentCard *captioned = (ABKCaptionedImageContentCard *)card;
    NSLog(@"%@ %f %@ %@ %@", captioned.image, captioned.imageAspectRatio, captioned.title, captioned.cardDescription, captioned.domain);
  } else if ([card isKindOfClass:[ABKClassicContentCard class]]) {
    ABKClassicContentCard *classic = (ABKClassicContentCard *)card;
    NSLog(@"%@ %@ %@ %@", classic.image, classic.title, classic.cardDescription, classic.domain);
  }
  [card logContentCardImpression];
  [card logContentCardClicked];
  [card logContentCardDismissed];
  NSLog(@"%d", [card isControlCard]);
}
