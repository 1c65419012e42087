#pragma once
#import <Foundation/Foundation.h>
#pragma clang assume_nonnull begin
#define MAIN __attribute__((swift_attr("@MainActor")))
typedef float UILayoutPriority __attribute__((swift_wrapper(struct)));
typedef NSInteger UITableViewCellStyle;
typedef enum __attribute__((enum_extensibility(open))) : NSInteger { UIStatusBarStyleDefault, UIStatusBarStyleLightContent } UIStatusBarStyle;
typedef enum __attribute__((enum_extensibility(open))) : NSInteger { UIInterfaceOrientationUnknown, UIInterfaceOrientationPortrait } UIInterfaceOrientation;
typedef enum __attribute__((enum_extensibility(open))) : NSUInteger { UIBackgroundFetchResultNewData, UIBackgroundFetchResultNoData, UIBackgroundFetchResultFailed } UIBackgroundFetchResult;
typedef NSString *UIFontTextStyle __attribute__((swift_wrapper(enum))) __attribute__((swift_name("UIFont.TextStyle")));
typedef double UIFontWeight __attribute__((swift_wrapper(struct))) __attribute__((swift_name("UIFont.Weight")));
struct CGSize { double width; double height; };
typedef struct CGSize CGSize;
@class UIView, UIEvent, UITraitCollection, UITableView, UITableViewCell, UINavigationController;
@interface UIColor : NSObject
@property (class, readonly) UIColor *redColor;
@property (class, readonly) UIColor *purpleColor;
@property (class, readonly) UIColor *lightGrayColor;
@property (readonly) struct CGColor *CGColor;
@end
@interface UIFont : NSObject
+ (UIFont *)italicSystemFontOfSize:(double)fontSize;
@end
@interface CALayer : NSObject
@property (nullable) struct CGColor *borderColor;
@end
@interface UIImage : NSObject
@end
@interface NSLayoutConstraint : NSObject
@end
MAIN @interface UIApplication : NSObject
@end
MAIN @interface UIWindowScene : NSObject
@end
MAIN @interface UIWindow : NSObject
@end
MAIN @interface UIBarButtonItem : NSObject
@end
MAIN @interface UIResponder : NSObject
@end
MAIN @interface UIView : UIResponder <NSCoding>
- (nullable instancetype)initWithCoder:(NSCoder *)coder __attribute__((objc_designated_initializer));
@property (nullable, copy) UIColor *backgroundColor;
@property (readonly, strong) CALayer *layer;
@end
@interface UILabel : UIView
@property (null_resettable, strong) UIFont *font;
@end
@interface UIImageView : UIView
@end
@interface UIProgressView : UIView
@end
@interface UIScrollView : UIView
@end
@interface UITableView : UIScrollView
- (void)registerClass:(nullable Class)cellClass forCellReuseIdentifier:(NSString *)identifier;
@end
@interface UITableViewCell : UIView
- (instancetype)initWithStyle:(UITableViewCellStyle)style reuseIdentifier:(nullable NSString *)reuseIdentifier __attribute__((objc_designated_initializer));
- (void)prepareForReuse;
@end
MAIN @interface UIViewController : UIResponder <NSCoding>
- (instancetype)initWithNibName:(nullable NSString *)nibNameOrNil bundle:(nullable NSBundle *)nibBundleOrNil __attribute__((objc_designated_initializer));
- (nullable instancetype)initWithCoder:(NSCoder *)coder __attribute__((objc_designated_initializer));
- (void)viewDidLoad;
- (void)viewDidAppear:(BOOL)animated;
@property (nullable, copy) NSString *title;
@property (nullable, readonly, strong) UINavigationController *navigationController;
- (void)presentViewController:(UIViewController *)viewControllerToPresent animated:(BOOL)flag completion:(void (^ _Nullable)(void))completion;
@end
@protocol UITableViewDataSource <NSObject>
- (NSInteger)tableView:(UITableView *)tableView numberOfRowsInSection:(NSInteger)section;
- (UITableViewCell *)tableView:(UITableView *)tableView cellForRowAtIndexPath:(NSIndexPath *)indexPath;
@end
@interface UITableViewController : UIViewController <UITableViewDataSource>
@property (null_resettable, strong) UITableView *tableView;
- (NSInteger)tableView:(UITableView *)tableView numberOfRowsInSection:(NSInteger)section;
- (UITableViewCell *)tableView:(UITableView *)tableView cellForRowAtIndexPath:(NSIndexPath *)indexPath;
@end
@interface UINavigationController : UIViewController
- (void)setViewControllers:(NSArray<UIViewController *> *)viewControllers animated:(BOOL)animated;
- (void)pushViewController:(UIViewController *)viewController animated:(BOOL)animated;
@end
#pragma clang assume_nonnull end
