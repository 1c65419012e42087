#pragma once
#import <UIKit/UIKit.h>
#pragma clang assume_nonnull begin
@interface WKWebView : UIView
@end
@protocol WKNavigationDelegate <NSObject>
@end
#pragma clang assume_nonnull end
