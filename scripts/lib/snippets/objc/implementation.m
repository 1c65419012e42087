// The Objective-C of the implementation guide, written for this check: an app whose objects come from cards, in the same form.
#import "Snippets.h"

// snippet: the keys
static NSString *const ContentCardKeyIdString = @"idString";
static NSString *const ContentCardKeyCreated = @"created";
static NSString *const ContentCardKeyClassType = @"class_type";
static NSString *const ContentCardKeyDismissible = @"dismissible";
static NSString *const ContentCardKeyExtras = @"extras";
static NSString *const ContentCardKeyImage = @"image";
static NSString *const ContentCardKeyTitle = @"title";
static NSString *const ContentCardKeyCardDescription = @"cardDescription";
static NSString *const ContentCardKeyUrlString = @"urlString";

typedef NS_ENUM(NSInteger, ContentCardClassType) {
  ContentCardClassTypeNone = 0,
  ContentCardClassTypeYourValue,
  ContentCardClassTypeYourOtherValue,
  ContentCardClassTypeMessageFullPage,
  ContentCardClassTypeMessageWebview,
};

// snippet: what objects keep of their card
@interface ContentCardData : NSObject

+ (ContentCardClassType)contentCardClassTypeForString:(NSString *)rawValue;

- (instancetype)initWithIdString:(NSString *)idString
                       classType:(ContentCardClassType)classType
                       createdAt:(double)createdAt isDismissible:(BOOL)isDismissible;

@property (nonatomic, readonly) NSString *contentCardId;
@property (nonatomic) ContentCardClassType classType;
@property (nonatomic, readonly) double createdAt;
@property (nonatomic, readonly) BOOL isDismissible;

@end

// snippet: the protocol of such objects
@protocol ContentCardable <NSObject>

@property (nonatomic, strong) ContentCardData *contentCardData;
- (instancetype __nullable)initWithMetaData:(NSDictionary *)metaData
                                  classType:(enum ContentCardClassType)classType;

- (BOOL)isContentCard;
- (void)logContentCardImpression;
- (void)logContentCardClicked;
- (void)logContentCardDismissed;

@end

@implementation ContentCardData
- (instancetype)initWithIdString:(NSString *)idString
                       classType:(ContentCardClassType)classType
                       createdAt:(double)createdAt isDismissible:(BOOL)isDismissible {
  self = [super init];
  if (self) {
    _contentCardId = idString;
    _classType = classType;
    _createdAt = createdAt;
    _isDismissible = isDismissible;
  }
  return self;
}

// snippet: the kinds of objects
+ (NSArray *)contentCardClassTypeArray {
  return @[ @"", @"your_value", @"your_other_value" ];
}

+ (ContentCardClassType)contentCardClassTypeForString:(NSString *)rawValue {
  if ([[self contentCardClassTypeArray] indexOfObject:rawValue] == NSNotFound) {
    return ContentCardClassTypeNone;
  } else {
    NSInteger value = [[self contentCardClassTypeArray] indexOfObject:rawValue];
    return (ContentCardClassType)value;
  }
}
@end

@interface CustomObject : NSObject
@property (nonatomic, strong) ContentCardData *contentCardData;
@property (nonatomic, readonly) NSString *customObjectProperty;
- (void)logContentCardImpression;
- (void)logContentCardClicked;
- (void)logContentCardDismissed;
@end

@implementation CustomObject
// snippet: an object from a card
- (id _Nullable)initWithMetaData:(nonnull NSDictionary *)metaData classType:(enum ContentCardClassType)classType {
  self = [super init];
  if (self) {
    if ([metaData objectForKey:ContentCardKeyIdString] && [metaData objectForKey:ContentCardKeyCreated] &&
        [metaData objectForKey:ContentCardKeyDismissible] && [metaData objectForKey:ContentCardKeyExtras]) {
      NSDictionary *extras = metaData[ContentCardKeyExtras];
      NSString *idString = metaData[ContentCardKeyIdString];
      double createdAt = [metaData[ContentCardKeyCreated] doubleValue];
      BOOL isDismissible = [metaData[ContentCardKeyDismissible] boolValue];

      if ([extras objectForKey:@"property"])
        _customObjectProperty = extras[@"property"];

      self.contentCardData = [[ContentCardData alloc] initWithIdString:idString
                                                             classType:classType
                                                             createdAt:createdAt
                                                         isDismissible:isDismissible];
      return self;
    }
  }
  return nil;
}

- (void)logContentCardImpression {
}
- (void)logContentCardClicked {
}
- (void)logContentCardDismissed {
}
@end

@interface Message : CustomObject
@end
@interface FullPageMessage : Message
@end
@interface WebViewMessage : Message
@end

@interface CardManager : NSObject
@property (nonatomic, readonly) NSArray<ABKContentCard *> *contentCards;
+ (CardManager *)shared;
- (id<ContentCardable>)contentCardableWithMetaData:(NSDictionary *)metaData forClassType:(ContentCardClassType)classType;
@end

@implementation CardManager
+ (CardManager *)shared {
  return nil;
}

- (NSArray<ABKContentCard *> *)contentCards {
  return Appboy.sharedInstance.contentCardsController.contentCards;
}

- (void)addObserverForContentCards:(id)observer selector:(SEL)selector {
  [[NSNotificationCenter defaultCenter] addObserver:observer
                                           selector:selector
                                               name:ABKContentCardsProcessedNotification
                                             object:nil];
}

- (void)requestContentCardsRefresh {
  [[Appboy sharedInstance] requestContentCardsRefresh];
}

// snippet: the end of a refresh, for a kind
- (NSArray *)handleContentCardsUpdated:(NSNotification *)notification forClassType:(ContentCardClassType)classType {
  BOOL updateIsSuccessful = [notification.userInfo[ABKContentCardsProcessedIsSuccessfulKey] boolValue];
  if (updateIsSuccessful) {
    return [self convertContentCards:self.contentCards forClassType:classType];
  } else {
    return @[];
  }
}

// snippet: cards into objects
- (NSArray *)convertContentCards:(NSArray<ABKContentCard *> *)cards forClassType:(ContentCardClassType)classType {
  NSMutableArray *contentCardables = [[NSMutableArray alloc] init];
  for (ABKContentCard *card in cards) {
    NSString *classTypeString = [card.extras objectForKey:ContentCardKeyClassType];
    ContentCardClassType cardClassType = [ContentCardData contentCardClassTypeForString:classTypeString];
    if (cardClassType != classType) {
      continue;
    }

    NSMutableDictionary *metaData = [[NSMutableDictionary alloc] init];
    if ([card isKindOfClass:[ABKBannerContentCard class]]) {
      ABKBannerContentCard *banner = (ABKBannerContentCard *)card;
      metaData[ContentCardKeyImage] = banner.image;
    } else if ([card isKindOfClass:[ABKCaptionedImageContentCard class]]) {
      ABKCaptionedImageContentCard *captioned = (ABKCaptionedImageContentCard *)card;
      metaData[ContentCardKeyTitle] = captioned.title;
      metaData[ContentCardKeyCardDescription] = captioned.cardDescription;
      metaData[ContentCardKeyImage] = captioned.image;
    } else if ([card isKindOfClass:[ABKClassicContentCard class]]) {
      ABKClassicContentCard *classic = (ABKClassicContentCard *)card;
      metaData[ContentCardKeyCardDescription] = classic.title;
      metaData[ContentCardKeyImage] = classic.image;
    }

    metaData[ContentCardKeyIdString] = card.idString;
    metaData[ContentCardKeyCreated] = [NSNumber numberWithDouble:card.created];
    metaData[ContentCardKeyDismissible] = [NSNumber numberWithBool:card.dismissible];
    metaData[ContentCardKeyUrlString] = card.urlString;
    metaData[ContentCardKeyExtras] = card.extras;

    id<ContentCardable> contentCardable = [self contentCardableWithMetaData:metaData forClassType:classType];
    if (contentCardable) {
      [contentCardables addObject:contentCardable];
    }
  }

  return contentCardables;
}

// snippet: an object by its kind
- (id<ContentCardable>)contentCardableWithMetaData:(NSDictionary *)metaData forClassType:(ContentCardClassType)classType {
  switch (classType) {
    case ContentCardClassTypeYourValue:
      return (id<ContentCardable>)[[CustomObject alloc] initWithMetaData:metaData classType:classType];
    case ContentCardClassTypeYourOtherValue:
      return nil;
    default:
      return nil;
  }
}

// snippet: logging by the card
- (void)logContentCardImpression:(NSString *)idString {
  ABKContentCard *contentCard = [self getContentCard:idString];
  [contentCard logContentCardImpression];
}

- (ABKContentCard *)getContentCard:(NSString *)idString {
  NSPredicate *predicate = [NSPredicate predicateWithFormat:@"self.idString == %@", idString];
  NSArray *filteredArray = [self.contentCards filteredArrayUsingPredicate:predicate];

  return filteredArray.firstObject;
}
@end

@interface ListController : UIViewController
@end

@implementation ListController
// snippet: a request for cards
- (void)loadContentCards {
  [[CardManager shared] addObserverForContentCards:self selector:@selector(contentCardsUpdated:)];
  [[CardManager shared] requestContentCardsRefresh];
}

// snippet: the app's objects, when they have come
- (void)contentCardsUpdated:(NSNotification *)notification {
  NSArray *contentCards = [[CardManager shared] handleContentCardsUpdated:notification forClassType:ContentCardClassTypeYourValue];
  NSLog(@"%@", contentCards);
}

// snippet: a page by the kind of a message
- (void)addContentCardToView:(Message *)message {
  switch (message.contentCardData.classType) {
    case ContentCardClassTypeMessageFullPage:
      [self loadContentCardFullPageView:(FullPageMessage *)message];
      break;
    case ContentCardClassTypeMessageWebview:
      [self loadContentCardWebView:(WebViewMessage *)message];
      break;
    default:
      break;
  }
}

- (void)loadContentCardFullPageView:(FullPageMessage *)message {
}
- (void)loadContentCardWebView:(WebViewMessage *)message {
}

// snippet: logging by the object
- (void)log:(CustomObject *)customObject {
  [customObject logContentCardImpression];
  [customObject logContentCardClicked];
  [customObject logContentCardDismissed];
}
@end
