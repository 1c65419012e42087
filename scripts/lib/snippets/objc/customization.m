// The Objective-C of the customization guide, written for this check: the same overrides in the same form.
#import "Snippets.h"

static NSString *const ContentCardKeyBackgroundColor = @"background_color";

@interface NSString (Color)
- (UIColor *)colorValue;
@end

@interface CustomCaptionedImageContentCardCell : ABKCaptionedImageContentCardCell
@end

@implementation CustomCaptionedImageContentCardCell
// snippet: a style by card (subclass)
- (void)applyCard:(ABKCaptionedImageContentCard *)captionedImageCard {
  [super applyCard:captionedImageCard];

  if ([captionedImageCard.extras objectForKey:ContentCardKeyBackgroundColor]) {
    NSString *backgroundColor = [captionedImageCard.extras objectForKey:ContentCardKeyBackgroundColor];
    if ([backgroundColor colorValue]) {
      self.rootView.backgroundColor = [backgroundColor colorValue];
    } else {
      self.rootView.backgroundColor = [UIColor lightGrayColor];
    }
  } else {
    self.rootView.backgroundColor = [UIColor lightGrayColor];
  }
}
@end

@interface CustomClassicContentCardCell : ABKClassicContentCardCell
@end

@implementation CustomClassicContentCardCell
// snippet: a style of all cards (subclass)
- (void)setUpUI {
  [super setUpUI];
  self.rootView.backgroundColor = [UIColor lightGrayColor];
  self.rootView.layer.borderColor = [UIColor purpleColor].CGColor;
  self.unviewedLineView.backgroundColor = [UIColor redColor];
  self.titleLabel.font = [UIFont italicSystemFontOfSize:20];
}
@end

@interface CustomFeedController : ABKContentCardsTableViewController
@end

@implementation CustomFeedController
// snippet: cells of the app's own (subclass)
- (void)registerTableViewCellClasses {
  [super registerTableViewCellClasses];

  [self.tableView registerClass:[CustomCaptionedImageContentCardCell class] forCellReuseIdentifier:@"ABKCaptionedImageContentCardCell"];
  [self.tableView registerClass:[CustomClassicContentCardCell class] forCellReuseIdentifier:@"ABKClassicCardCell"];
}

// snippet: cards that the app changes (subclass)
- (void)populateContentCards {
  NSMutableArray<ABKContentCard *> *cards =
      [NSMutableArray arrayWithArray:[Appboy.sharedInstance.contentCardsController getContentCards]];
  for (ABKContentCard *card in cards) {
    // Every text card says the same.
    if ([card isKindOfClass:[ABKClassicContentCard class]]) {
      ((ABKClassicContentCard *)card).cardDescription = @"The app's own text";
    }
  }
  super.cards = cards;
}
@end
